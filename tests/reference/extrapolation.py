"""The modified midpoint rule with 2, 4, 6, .. substeps, extrapolated to step 0 (Gragg, Bulirsch, Stoer): one step."""


def extrapolated(f, t, y, h, columns):
    """y at t + h for y' = f(t, y), and what the last two columns differ by."""
    numbers, row, slope = [2 * (i + 1) for i in range(columns)], [], f(t, y)
    for k, n in enumerate(numbers):
        d = h / n
        before, now = y, [a + d * b for a, b in zip(y, slope)]
        for i in range(1, n):
            before, now = now, [a + 2 * d * b for a, b in zip(before, f(t + i * d, now))]
        old, row = row, [[(a + b + d * c) / 2 for a, b, c in zip(before, now, f(t + h, now))]]
        for j in range(k):
            ratio = (n / numbers[k - 1 - j])**2 - 1
            row.append([a + (a - b) / ratio for a, b in zip(row[j], old[j])])
    return row[-1], [a - b for a, b in zip(row[-1], row[-2])]
