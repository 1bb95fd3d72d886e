"""The picture of the README: an off-road vehicle drives over a bump. The page hmmwv.html plays the motion."""
import holonom as hm

m = hm.Model("models/hmmwv.yaml")
r = m.run(report="hmmwv.html")
lift = r["chassis.z"].max() - r["chassis.z"][0]
print(r, f"the chassis rises by {1000 * lift:.1f} mm", sep="\n")
assert r.complete and 0.005 < lift < 0.05
