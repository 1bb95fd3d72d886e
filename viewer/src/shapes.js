// The solids of the bodies, their ghosts at the start, and picking.
import {BufferAttribute, BufferGeometry, Vector3} from 'three';
import {bodyColour, MARKS} from './colours.js';
import {Attached} from './instances.js';
import {rotation} from './motion.js';

const SHADOW_LIMIT = 3000; // solids

/** Splits shapes into solids: a polyline is a row of capsules. */
function solids(scene) {
  const list = [];
  scene.shapes.forEach(shape => {
    const r = rotation(shape.quaternion, 0, new Float64Array(9), 0);
    const add = (kind, position, turn, scale, extent, size) =>
      list.push({kind, body: shape.body, position, rotation: turn, scale, extent, size, shape});
    const s = shape.size;
    if (shape.type === 'box') add('box', shape.position, r, s, [0.5, 0.5, 0.5]);
    else if (shape.type === 'cylinder') add('cylinder', shape.position, r, [s[0], s[0], s[1]], [1, 1, 0.5]);
    else if (shape.type === 'sphere') add('sphere', shape.position, r, s.length === 3 ? s : [s[0], s[0], s[0]], [1, 1, 1]);
    else if (shape.type === 'capsule') capsule(shape.position, r, s[0], s[1]);
    else if (shape.type === 'mesh') add(`mesh${shape.mesh}`, shape.position, r, [1, 1, 1], null);
    else if (shape.type === 'polyline') {
      const n = shape.points.length;
      for (let i = 0; i < (shape.closed ? n : n - 1); ++i) segment(shape, r, shape.points[i], shape.points[(i + 1) % n]);
    }
    function capsule(position, turn, radius, length) {
      add('capsule', position, turn, [1, 1, 1], [radius, radius, length / 2 + radius], [radius, length]);
    }
    function segment({position}, turn, from, to) {
      const a = new Vector3(...from), d = new Vector3(...to).sub(a), length = d.length();
      const middle = a.addScaledVector(d, 0.5);
      const z = length > 0 ? d.divideScalar(length) : new Vector3(0, 0, 1);
      const x = new Vector3(1, 0, 0);
      if (Math.abs(z.x) > 0.9) x.set(0, 1, 0);
      const y = z.clone().cross(x).normalize();
      x.crossVectors(y, z);
      const axes = [x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z], own = [0, 0, 0], m = new Float64Array(9);
      for (let i = 0; i < 3; ++i) {
        own[i] = position[i] + turn[3 * i] * middle.x + turn[3 * i + 1] * middle.y + turn[3 * i + 2] * middle.z;
        for (let k = 0; k < 3; ++k) for (let j = 0; j < 3; ++j) m[3 * i + k] += turn[3 * i + j] * axes[3 * j + k];
      }
      capsule(own, m, s[0], length);
    }
  });
  return list;
}

export class Shapes {
  /**
   * @param {object} scene
   * @param {BufferGeometry[]} meshes
   * @param {import('./motion.js').World} world
   * @param {boolean} shadows whether they are wanted
   */
  constructor(scene, meshes, world, shadows) {
    this.scene = scene;
    this.world = world;
    this.meshes = meshes;
    this.base = scene.bodies.map((_, i) => bodyColour(i, scene.bodies.length));
    const groups = new Map();
    for (const solid of solids(scene)) {
      if (!groups.has(solid.kind)) groups.set(solid.kind, []);
      groups.get(solid.kind).push(solid);
    }
    this.groups = [...groups.values()];
    this.count = this.groups.reduce((n, g) => n + g.length, 0);
    this.castsShadows = shadows && scene.dimension === 3 && this.count <= SHADOW_LIMIT;
    this.sets = this.groups.map(group => this.fill(group, {}));
    for (const set of this.sets) set.mesh.castShadow = set.mesh.receiveShadow = this.castsShadows;
    this.ghosts = null;
  }

  /** @param {object[]} group solids of one kind @param {object} options of the material */
  fill(group, options) {
    const {kind} = group[0], {world, scene} = this, flat = scene.dimension === 2;
    const geometry = kind.startsWith('mesh') ? this.meshes[Number(kind.slice(4))] : kind;
    const set = new Attached(geometry, group.length, options);
    group.forEach((solid, i) => {
      const {body, position, extent, size} = solid;
      // neighbours of one thickness would flicker where they meet: planar ones lie in layers, others differ a little
      const place = flat ? [position[0], position[1], position[2] + this.layer(body)] : position;
      const thin = solid.shape.inferred && !flat ? 1 - 0.015 * (Math.max(body, 0) % 4) : 1;
      set.place(i, world.index(body), place, solid.rotation, solid.scale.map(x => x * thin));
      if (size) {
        set.size[2 * i] = size[0] * thin;
        set.size[2 * i + 1] = size[1];
      }
      if (!extent) {
        geometry.computeBoundingBox();
        const {min, max} = geometry.boundingBox;
        solid.extent = [0, 1, 2].map(k => Math.max(-min.getComponent(k), max.getComponent(k)));
      }
    });
    return set;
  }

  /** Height over the plane of a body of a planar model, which keeps it clear of the bodies next to it. */
  layer(body) {
    return this.scene.length * (body < 0 ? -0.3 : 0.12 * (body % 12));
  }

  update() {
    for (const set of this.sets) set.update(this.world);
  }

  /** Pale solids where the bodies are in `world`. */
  makeGhosts(world) {
    this.ghosts = this.groups.map(group => {
      const set = this.fill(group, {transparent: true, opacity: 0.22, depthWrite: false});
      set.update(world);
      return set;
    });
    return this.ghosts;
  }

  /** @param {'light' | 'dark'} theme @param {(body: number) => string | null} mark colour of a body that is marked */
  paint(theme, mark) {
    this.groups.forEach((group, g) => group.forEach(({body, shape}, i) => {
      const own = shape.color ?? (body < 0 ? MARKS[theme].ground : this.base[body]);
      this.sets[g].setColour(i, mark(body) ?? own);
    }));
    for (const set of this.ghosts ?? []) for (let i = 0; i < set.count; ++i) set.setColour(i, MARKS[theme].ghost);
  }

  /** Height of the lowest point of all solids in the present world; of meshes that of the box around them. */
  lowest(up) {
    let low = Infinity;
    this.groups.forEach((group, g) => {
      const {matrices: m, size} = this.sets[g];
      group.forEach(({kind, extent}, i) => {
        const c = 16 * i, along = k => Math.abs(m[c + k] * up.x + m[c + k + 1] * up.y + m[c + k + 2] * up.z);
        const x = extent[0] * along(0), y = extent[1] * along(4), z = extent[2] * along(8);
        let depth = x + y + z;
        if (kind === 'sphere') depth = Math.hypot(x, y, z);
        else if (kind === 'cylinder') depth = Math.hypot(x, y) + z;
        else if (kind === 'capsule') depth = size[2 * i] + size[2 * i + 1] / 2 * along(8);
        low = Math.min(low, m[c + 12] * up.x + m[c + 13] * up.y + m[c + 14] * up.z - depth);
      });
    });
    return low;
  }

  /** Spheres around all solids in the present world, one at each end: x y z radius. */
  spheres() {
    const all = new Float64Array(8 * this.count);
    let o = 0;
    this.groups.forEach((group, g) => {
      const m = this.sets[g].matrices;
      group.forEach(({kind, extent}, i) => {
        const c = 16 * i, half = [0, 4, 8].map((k, a) => extent[a] * Math.hypot(m[c + k], m[c + k + 1], m[c + k + 2]));
        const axis = half.indexOf(Math.max(...half)), [thin, mid, long] = half.slice().sort((a, b) => a - b);
        const radius = kind === 'sphere' ? long : Math.hypot(mid, mid, thin), out = long - mid;
        for (const s of [-out / half[axis] * extent[axis], out / half[axis] * extent[axis]]) {
          for (let k = 0; k < 3; ++k) all[o++] = m[c + 12 + k] + (out > 0 ? s * m[c + 4 * axis + k] : 0);
          all[o++] = radius;
        }
      });
    });
    return all;
  }

  /**
   * Body under a ray, -1 for ground, null for none.
   * @param {import('three').Ray} ray @param {number} pad [m] by which solids count as larger
   */
  pick(ray, pad) {
    let found = null, nearest = Infinity;
    const {origin: o, direction: d} = ray;
    this.groups.forEach((group, g) => {
      const m = this.sets[g].matrices;
      for (let i = 0; i < group.length; ++i) {
        const {extent} = group[i];
        let enter = -Infinity, leave = Infinity;
        for (let k = 0; k < 3 && enter <= leave; ++k) {
          const c = 16 * i + 4 * k, s2 = m[c] ** 2 + m[c + 1] ** 2 + m[c + 2] ** 2;
          const x = (m[c] * (o.x - m[16 * i + 12]) + m[c + 1] * (o.y - m[16 * i + 13]) + m[c + 2] * (o.z - m[16 * i + 14])) / s2;
          const v = (m[c] * d.x + m[c + 1] * d.y + m[c + 2] * d.z) / s2;
          const half = extent[k] + pad / Math.sqrt(s2);
          const a = (-half - x) / v, b = (half - x) / v;
          enter = Math.max(enter, Math.min(a, b));
          leave = Math.min(leave, Math.max(a, b));
        }
        if (enter <= leave && leave > 0 && enter < nearest) {
          nearest = enter;
          found = group[i].body;
        }
      }
    });
    return found;
  }
}

/** Geometry of a mesh from the page. */
export function meshGeometry(positions, indices) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(positions, 3));
  geometry.setIndex(new BufferAttribute(indices, 1));
  const flat = geometry.toNonIndexed(); // facets: files hold no normals that could be trusted
  flat.computeVertexNormals();
  return flat;
}
