"""What is not measured: a particle filter finds the velocities of a falling pole from noisy places.

Each particle is a snapshot of a simulation. At every measurement all of them go on, are weighed by what was measured, and the likely ones are
kept, some of them several times, with a little noise.
"""
import holonom as hm
import numpy as np

PARTICLES, PERIOD, NOISE = 80, 0.02, np.array([0.01, 0.01])  # of cart.x [m], lean [rad]
random = np.random.default_rng(1)

m = hm.Model("models/cart_pole.yaml")
plant, copy = m.simulate(end=0.6), m.simulate(end=1, method="rk", step=PERIOD / 2)


def place(simulation, push, turn):
    """Gives the cart and the pole other velocities."""
    v = simulation.state.v
    v[0], v[5] = push, turn
    simulation.set_state(v=v)


place(plant, 0.4, -0.3)  # what the filter does not know
start, particles = copy.save(), []
for push, turn in random.normal(0, 0.5, (PARTICLES, 2)):
    copy.restore(start)
    place(copy, push, turn)
    particles.append(copy.save())

for t in plant.every(PERIOD):
    truth = np.array([plant["cart.vx"], plant["pole.omega"]])
    measured = np.array([plant["cart.x"], plant["lean"]]) + random.normal(0, NOISE)
    seen = np.empty((PARTICLES, 4))
    for one, particle in zip(seen, particles):
        copy.restore(particle)
        if t > copy.time:
            copy.advance(t)
        one[:] = copy["cart.x"], copy["lean"], copy["cart.vx"], copy["pole.omega"]
        copy.save(into=particle)
    weight = np.exp(-0.5 * (((seen[:, :2] - measured) / NOISE) ** 2).sum(1))
    weight /= weight.sum()
    mean = weight @ seen
    if t > 0.1:  # the first measurements say little of velocities
        kept, spread = random.choice(PARTICLES, PARTICLES, p=weight), []
        for i in kept:
            copy.restore(particles[i])
            place(copy, *(seen[i, 2:] + random.normal(0, 0.03, 2)))
            spread.append(copy.save())
        particles = spread

print(f"velocities {truth[0]:.3f} m/s, {truth[1]:.3f} rad/s; found {mean[2]:.3f}, {mean[3]:.3f}")
assert np.all(abs(mean[2:] - truth) < [0.15, 0.3])
