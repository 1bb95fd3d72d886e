# Of a .glb beside its result: discs and arrows of contacts stand, turn and grow as the result says.
import json, struct, csv, math
def glb(path):
    b = open(path,'rb').read(); n = struct.unpack_from('<I', b, 12)[0]
    return json.loads(b[20:20+n]), b[28+n:]
j, data = glb('touch.glb')
def numbers(i):
    a = j['accessors'][i]; v = j['bufferViews'][a['bufferView']]
    w = {'SCALAR':1,'VEC3':3,'VEC4':4}[a['type']]
    o = v.get('byteOffset',0)+a['byteOffset']
    x = struct.unpack_from('<%df' % (w*a['count']), data, o)
    return [x[w*k:w*k+w] for k in range(a['count'])]
anim = j['animations'][0]
move = {(c['target']['node'], c['target']['path']): numbers(anim['samplers'][c['sampler']]['output']) for c in anim['channels']}
rows = list(csv.DictReader(l for l in open('touch.csv') if l[0] != '#'))
print(len(rows), 'rows,', len(anim['channels']), 'channels')
for i, node in enumerate(j['nodes']):
    name = node.get('name')
    if name and name + '.px' in rows[0]:
        normal, arrow = node['children']; discs = j['nodes'][normal]['children']
        worst = 0; seen = set()
        for k, r in enumerate(rows):
            p = [float(r[f'{name}.p{a}']) for a in 'xyz']
            worst = max(worst, *(abs(x-y) for x, y in zip(p, move[i,'translation'][k])))
            F = float(r[name+'.F']); on = [move[d,'scale'][k][0] > 0 for d in discs]
            assert (F > 0) == any(on) and sum(on) <= 1, (name, k)
            seen |= {m for m, o in zip(('sticks ', 'slides '), on) if o}
            q = move[arrow,'rotation'][k]; z = (2*(q[0]*q[2]+q[3]*q[1]), 2*(q[1]*q[2]-q[3]*q[0]), 1-2*(q[0]**2+q[1]**2))
            f = [F*float(r[f'{name}.n{a}'])+float(r[f'{name}.friction.{a}']) for a in 'xyz']; s = math.hypot(*f)
            if s > 0: assert sum(a*b for a, b in zip(z, f)) > (1-1e-6)*s
        print(name, worst < 1e-6, ''.join(sorted(seen)))
