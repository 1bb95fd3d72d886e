"""A cart is pushed so that the pole on it stays upright, a thousand times a second, by a PID controller of the lean."""
import holonom as hm

s = hm.Model("models/cart_pole.yaml").simulate(end=2)
total = 0.0
for t in s.every(1e-3):
    lean = s["lean"]
    total += 1e-3 * lean
    s.inputs["u"] = 60 * lean + 80 * total - 12 * s["pole.omega"]
print(f"after {s.time:g} s the pole leans by {s['lean']:.2e} rad, the cart is at {s['cart.x']:.3f} m")
assert abs(s["lean"]) < 0.02
