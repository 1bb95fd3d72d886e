// Words of other programs that users know, and what to write here instead: one table, by the kind of thing and of key.
// To add a word, add a row.
#include "model/elsewhere.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#define MOTOR                                                                                                \
    "a motor that prescribes the motion is a driver (`drivers: [{name: .., type: angle, joint: .., value: "  \
    "..}]`), one that "                                                                                      \
    "gives a torque is a force of type torque whose value is an expression"
#define CONTACT                                                                                              \
    "contact between shapes is not there yet; a force that acts on touching is a `force` whose value is "    \
    "`impact(..)` or "                                                                                       \
    "`bistop(..)`"
#define LIMITS                                                                                               \
    "joints have no limits yet; a stop is a force of type torque or force whose value is `bistop(..)`"
#define DAMPING                                                                                              \
    "a joint has neither stiffness nor damping; put a force of type rotational-spring-damper or "            \
    "spring-damper beside it"
#define FRICTION "friction is a force of its own, `forces: [{name: .., type: friction, joint: .., ..}]`"
#define SPEED                                                                                                \
    "drivers prescribe positions: give the angle or stroke that this speed leads to, such as omega*time, "   \
    "or hold the speed by "                                                                                  \
    "`constraints: [{name: .., velocity: ..}]`"
#define GRAVITY "gravity is a key of the model, `gravity: [0, 0, -9.81]`"
#define ACTUATOR "an actuator is a force of type force or torque whose value is an expression"

static const struct {
    const char *where, *word, *hint;
} rows[] = {
    {"joint", "motor", MOTOR},           {"driver", "motor", MOTOR},
    {"force", "motor", MOTOR},           {"joint", "contact", CONTACT},
    {"force", "contact", CONTACT},       {"joint", "velocity", SPEED},
    {"driver", "velocity", SPEED},       {"driver", "speed", SPEED},
    {"force", "gravity", GRAVITY},       {"force", "actuator", ACTUATOR},
    {"joint.key", "limits", LIMITS},     {"joint.key", "limit", LIMITS},
    {"joint.key", "range", LIMITS},      {"joint.key", "stop", LIMITS},
    {"joint.key", "damping", DAMPING},   {"joint.key", "stiffness", DAMPING},
    {"joint.key", "friction", FRICTION}, {"joint.key", "motor", MOTOR},
    {"body.key", "contact", CONTACT},    {"body.key", "gravity", GRAVITY},
};

const char *hol_elsewhere(const char *where, const char *word)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if ((!where || strcmp(rows[i].where, where) == 0) && strcasecmp(rows[i].word, word) == 0)
            return rows[i].hint;
    return NULL;
}
