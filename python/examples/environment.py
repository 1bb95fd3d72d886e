"""The cart and the pole as an environment for reinforcement learning, with the methods of Gymnasium, which is not needed for it.

An episode begins at a random state near upright and ends when the pole leans by more than 12 degrees, when the cart leaves the track, or after 500
periods of 20 ms. Starts are taken from a snapshot, so that episodes cost no assembly.
"""
import holonom as hm
import numpy as np


class CartPole:
    """Observation: place and speed of the cart [m, m/s], lean of the pole and its rate [rad, rad/s]. Action: the push [N]."""

    PERIOD, PERIODS, MOST_LEAN, TRACK, MOST_PUSH = 0.02, 500, np.radians(12), 2.4, 10.0

    def __init__(self, file="models/cart_pole.yaml"):
        self.simulation = hm.Model(file, lean0=0).simulate(end=self.PERIOD * self.PERIODS + 1, method="rk", step=self.PERIOD / 4)
        self.start = self.simulation.save()
        self.action_space = (np.array([-self.MOST_PUSH]), np.array([self.MOST_PUSH]))
        self.random = np.random.default_rng()

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.simulation.restore(self.start)
        q, v, _ = self.simulation.state[1:]
        v[0], v[5] = self.random.uniform(-0.2, 0.2, 2)  # the joints make the velocity of the pole's centre of them
        self.simulation.set_state(q=q, v=v)
        self.period = 0
        return self._observation(), {}

    def step(self, action):
        self.simulation.inputs["u"] = float(np.clip(action, -self.MOST_PUSH, self.MOST_PUSH))
        self.simulation.advance(by=self.PERIOD)
        self.period += 1
        observation = self._observation()
        fallen = bool(abs(observation[2]) > self.MOST_LEAN or abs(observation[0]) > self.TRACK)
        return observation, 0.0 if fallen else 1.0, fallen, self.period >= self.PERIODS, {"t": self.simulation.time}

    def close(self):
        self.simulation.close()

    def _observation(self):
        s = self.simulation
        return np.array([s["cart.x"], s["cart.vx"], s["lean"], -s["pole.omega"]])


def episode(env, policy, seed):
    """Sum of the rewards."""
    observation, _ = env.reset(seed=seed)
    total, over = 0.0, False
    while not over:
        observation, reward, fallen, late, _ = env.step(policy(observation))
        total, over = total + reward, fallen or late
    return total


if __name__ == "__main__":
    env, gains = CartPole(), np.array([3.1, 5.9, 49.0, 12.8])
    nothing = [episode(env, lambda seen: 0.0, seed) for seed in range(5)]
    feedback = [episode(env, lambda seen: gains @ seen, seed) for seed in range(5)]
    print(f"without a push {np.mean(nothing):.0f} periods, with feedback {np.mean(feedback):.0f}")
    assert max(nothing) < 100 and min(feedback) == CartPole.PERIODS
    assert episode(env, lambda seen: gains @ seen, 3) == feedback[3]
