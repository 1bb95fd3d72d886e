"""The same by state feedback: gains of the exact linearisation about upright, by the Riccati equation. The cart comes back too."""
import holonom as hm
import numpy as np
from scipy.linalg import solve_continuous_are

m = hm.Model("models/cart_pole.yaml")
up = m.copy(lean0=0).equations()
l = up.linearise()  # dq = N x, dv = V w; N^T M N = 1, so that x = N^T M dq, w = N^T M dv
B = l.B[:, [list(up.inputs).index("u")]]
K = 10 * B.T @ solve_continuous_are(l.A, B, np.eye(4), [[0.1]]) @ np.kron(np.eye(2), l.N.T @ up.mass)
s = m.simulate(end=10)
for t in s.every(1e-3):
    s.inputs["u"] = -(K @ np.r_[s.state.q - up.q, s.state.v])[0]
print(f"after {s.time:g} s the pole leans by {s['lean']:.2e} rad, the cart is at {s['cart.x']:.2e} m")
assert abs(s["lean"]) < 1e-3 and abs(s["cart.x"]) < 0.05
