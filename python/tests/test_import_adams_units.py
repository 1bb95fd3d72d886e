"""Data sets of Adams in other units: the same motion."""
import pytest

import holonom as hm


def in_units(F, M, L, T, names):
    """A press of everything with a unit, whose numbers are those in SI over the units."""
    A, S = L / T**2, F / L
    return f"""a title
UNITS/{names}
ACCGRAV/IGRAV={1 / A!r}, KGRAV={-9.81 / A!r}
PART/1, GROUND
MARKER/1, PART=1, QP={0.1 / L!r},0,0
MARKER/2, PART=1, ZP=0,{1 / L!r},0, XP={1 / L!r},0,0
PART/2, MASS={2 / M!r}, CM=20, IP={0.3 / (M * L * L)!r},{0.4 / (M * L * L)!r},{0.5 / (M * L * L)!r}, QG={0.5 / L!r},0,0, VY={0.2 / (L / T)!r}, WX={0.3 * T!r}
MARKER/20, PART=2, QP=0,{0.02 / L!r},0
MARKER/21, PART=2, QP={0.1 / L!r},0,{0.05 / L!r}
PART/3, MASS={1 / M!r}, CM=30, IP={0.3 / (M * L * L)!r},{0.4 / (M * L * L)!r},{0.5 / (M * L * L)!r}, QG={-0.5 / L!r},0,0
MARKER/30, PART=3
MARKER/31, PART=1, QP={-0.5 / L!r},0,0
JOINT/1, TRANS, I=30, J=31
MOTION/1, JOINT=1, VELOCITY, FUNCTION={0.3 * T / L * T!r}*TIME
SPRINGDAMPER/1, TRANSLATION, I=21, J=1, K={30 / S!r}, C={2 / (S * T)!r}, LENGTH={0.3 / L!r}, FORCE={1 / F!r}
SPRINGDAMPER/2, ROTATION, I=20, J=1, KT={3 / (F * L)!r}, CT={0.2 / (F * L * T)!r}, TORQUE={0.1 / (F * L)!r}
SFORCE/1, TRANSLATION, I=21, J=30, FUNCTION={-3 / S!r}*DM(21,30)-{0.5 / (S * T)!r}*VR(21,30)+FX(21,1)/10
GFORCE/1, I=20, JFLOAT=2, RM=2, FX={1 / F!r}*SIN({3 * T!r}*TIME)\\TZ={0.1 / (F * L)!r}*{1 / T!r}*WZ(20)
BUSHING/1, I=20, J=1, K={3 / S!r},{4 / S!r},{5 / S!r}, KT={1 / (F * L)!r},0,0, C={0.1 / (S * T)!r},0,0, CT=0,{0.1 / (F * L * T)!r},0, FORCE={0.1 / F!r},0,0
DIFF/1, IC=1, FUNCTION=-{0.7 * T!r}*DIF(1)
VARIABLE/1, FUNCTION=DIF1(1)
REQUEST/1, D, I=21, J=1
REQUEST/2, A, I=21, J=1
REQUEST/3, F, I=21, J=1
END
"""


@pytest.mark.parametrize("F, M, L, T, names", [
    (1, 1e3, 1e-3, 1, "FORCE=NEWTON, MASS=TONNE, LENGTH=MILLIMETER, TIME=SECOND"),
    (4.4482216152605, 0.45359237, 0.0254, 1e-3, "FORCE=POUND_FORCE, MASS=POUND_MASS, LENGTH=INCH, TIME=MILLISECOND"),
])
def test_units_change_numbers_and_not_the_motion(F, M, L, T, names, tmp_path):
    columns = {"request1_x": L, "request2_ay": L / T**2, "request3_fm": F, "variable1": 1 / T, "diff1": 1}
    signals = ["part2.x", "part2.y", "part2.qy", "part3.z", "part3.x", *columns]
    results = []
    for units in ((1, 1, 1, 1, "FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND"), (F, M, L, T, names)):
        (tmp_path / "u.adm").write_text(in_units(*units))
        results.append(hm.Model.from_adm(tmp_path / "u.adm").run(end=1, tolerance=1e-10, method="rk", signals=signals))
    for s in signals:
        assert results[1][s][-1] * columns.get(s, 1) == pytest.approx(results[0][s][-1], rel=1e-7, abs=1e-9), s
