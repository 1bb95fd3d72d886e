"""What a .glb file holds."""
import json, struct, sys

data = open(sys.argv[1], "rb").read()
magic, version, length, size, kind = struct.unpack_from("<4sIII4s", data)
g = json.loads(data[20 : 20 + size])
print(magic, version, length == len(data), size % 4, kind, g["asset"]["version"], g["asset"]["generator"].split()[0])
for node in g["nodes"]:
    print(node.get("name"), "mesh" in node, sorted(node))
print([c["target"] for c in g["animations"][0]["channels"]])
times = [a for a in g["accessors"] if a["type"] == "SCALAR" and "min" in a]
print([(a["count"], a["min"], [round(x, 6) for x in a["max"]]) for a in times])
