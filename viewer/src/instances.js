// Many solids of one kind in one drawing call.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage,
  InstancedBufferAttribute, InstancedMesh, MeshDepthMaterial, MeshLambertMaterial, RGBADepthPacking, SphereGeometry,
  TorusGeometry, Vector3,
} from 'three';

/** Solids whose radius and length are attributes of the instance: ends stay round and wire stays thin when they stretch. */
const STRETCHED = new Set(['capsule', 'spring']);
const STRETCH = `
  vec3 transformed = position * size.x;
  transformed.z += share * size.y;`;

function withSize(material) {
  material.onBeforeCompile = shader => {
    shader.vertexShader = 'attribute vec2 size;\nattribute float share;\n' +
      shader.vertexShader.replace('#include <begin_vertex>', STRETCH);
  };
  material.customProgramCacheKey = () => 'stretched';
  return material;
}

/** share: what part of the length a vertex is away from the middle along z. */
function stretchedGeometry(position, normal, share, index) {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute('normal', new BufferAttribute(new Float32Array(normal), 3));
  geometry.setAttribute('share', new BufferAttribute(new Float32Array(share), 1));
  geometry.setIndex(index);
  return geometry;
}

/** Sphere of radius 1 cut at z = 0 into two halves which move apart. */
function capsuleGeometry(around, along) {
  const position = [], share = [], index = [];
  for (let j = 0; j <= 2 * along + 1; ++j) {
    const upper = j > along, angle = (j - (upper ? along + 1 : along)) / along * Math.PI / 2;
    for (let i = 0; i <= around; ++i) {
      const turn = i / around * 2 * Math.PI;
      position.push(Math.cos(angle) * Math.cos(turn), Math.cos(angle) * Math.sin(turn), Math.sin(angle));
      share.push(upper ? 0.5 : -0.5);
      if (j && i) {
        const a = j * (around + 1) + i, b = a - around - 1;
        index.push(b - 1, b, a, b - 1, a, a - 1);
      }
    }
  }
  return stretchedGeometry(position, position, share, index);
}

/** A wire wound around z, radius 1. */
function springGeometry(turns, around, wire) {
  const position = [], normal = [], share = [], index = [], steps = 18 * turns;
  for (let j = 0; j <= steps; ++j) {
    const s = j / steps, wide = Math.min(1, 8 * Math.min(s, 1 - s)); // the ends run to the middle
    const a = s * turns * 2 * Math.PI;
    for (let i = 0; i <= around; ++i) {
      const b = i / around * 2 * Math.PI, out = Math.cos(b), x = (wide + wire * out) * Math.cos(a), y = (wide + wire * out) * Math.sin(a);
      position.push(x, y, wire * Math.sin(b));
      normal.push(out * Math.cos(a), out * Math.sin(a), Math.sin(b));
      share.push(s - 0.5);
      if (j && i) {
        const k = j * (around + 1) + i, l = k - around - 1;
        index.push(l - 1, k, l, l - 1, k - 1, k);
      }
    }
  }
  return stretchedGeometry(position, normal, share, index);
}

/** The finer the fewer there are. @template T @param {number} n @param {T[]} choices for up to 60, 600, 4000, more */
const fine = (n, choices) => choices[n <= 60 ? 0 : n <= 600 ? 1 : n <= 4000 ? 2 : 3];

/** Kinds of solids, all of size 1 along and around z; n is how many will be drawn. */
const GEOMETRY = {
  box: () => new BoxGeometry(1, 1, 1),
  cylinder: n => new CylinderGeometry(1, 1, 1, fine(n, [40, 24, 16, 12])).rotateX(Math.PI / 2),
  sphere: n => new SphereGeometry(1, ...fine(n, [[28, 18], [20, 12], [12, 8], [8, 5]])),
  capsule: n => capsuleGeometry(...fine(n, [[24, 6], [18, 4], [12, 3], [8, 2]])),
  ring: n => new TorusGeometry(1, 0.2, ...fine(n, [[12, 36], [10, 24], [6, 16], [6, 12]])),
  // from 0 to 1
  rod: n => new CylinderGeometry(1, 1, 1, fine(n, [16, 12, 8, 6])).rotateX(Math.PI / 2).translate(0, 0, 0.5),
  head: n => new ConeGeometry(1, 1, fine(n, [24, 16, 10, 8])).rotateX(Math.PI / 2).translate(0, 0, -0.5),
  spring: n => springGeometry(...fine(n, [[9, 8, 0.17], [9, 6, 0.17], [6, 4, 0.2], [4, 3, 0.2]])),
  // a foot below the point it carries
  anchor: () => new ConeGeometry(1, 1.4, 4, 1).rotateY(Math.PI / 4).rotateX(Math.PI / 2).translate(0, 0, -0.7),
};

/** Options of what is seen through all else. */
export const OVERLAY = {depthTest: false, transparent: true};

const colour = new Color();

/** Instances of one geometry; the matrices are written by those who draw with it. */
export class Instances {
  /**
   * @param {string | BufferGeometry} kind
   * @param {number} n
   * @param {object} [options] of the material
   */
  constructor(kind, n, options = {}) {
    const stretched = STRETCHED.has(kind);
    const geometry = typeof kind === 'string' ? GEOMETRY[kind](n) : kind;
    const material = new MeshLambertMaterial(options);
    this.mesh = new InstancedMesh(geometry, stretched ? withSize(material) : material, n);
    this.mesh.frustumCulled = false;
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    if (stretched) {
      /** radius and length of each */
      this.size = new Float32Array(2 * n);
      this.sizes = new InstancedBufferAttribute(this.size, 2);
      geometry.setAttribute('size', this.sizes);
      this.mesh.customDepthMaterial = withSize(new MeshDepthMaterial({depthPacking: RGBADepthPacking}));
    }
    this.matrices = this.mesh.instanceMatrix.array;
    for (let i = 0; i < n; ++i) this.matrices[16 * i + 15] = 1;
    this.colours = new Float32Array(3 * n).fill(1);
    this.mesh.instanceColor = new InstancedBufferAttribute(this.colours, 3);
  }

  get count() {
    return this.mesh.count;
  }

  setColour(i, value) {
    colour.set(value).toArray(this.colours, 3 * i);
    this.mesh.instanceColor.needsUpdate = true;
  }

  /** To be called when matrices have been written. */
  changed() {
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/** Instances which are fixed to bodies. */
export class Attached extends Instances {
  constructor(kind, n, options) {
    super(kind, n, options);
    this.body = new Int32Array(n);
    /** matrix of the instance in body axes: 9 numbers row after row, then the position */
    this.local = new Float64Array(12 * n);
  }

  /**
   * @param {number} i @param {number} body its index in the world
   * @param {number[]} position @param {Float64Array | number[]} rotation 9 numbers @param {number[]} scale 3 numbers
   */
  place(i, body, position, rotation, scale) {
    this.body[i] = body;
    for (let k = 0; k < 9; ++k) this.local[12 * i + k] = rotation[k] * scale[k % 3];
    for (let k = 0; k < 3; ++k) this.local[12 * i + 9 + k] = position[k];
  }

  /** Matrices of all instances. @param {import('./motion.js').World} world */
  update(world) {
    const {p, r} = world, {body, local, matrices: m} = this;
    for (let i = 0, n = this.count; i < n; ++i) {
      const b = 9 * body[i], c = 3 * body[i], l = 12 * i;
      const l0 = local[l], l1 = local[l + 1], l2 = local[l + 2], l3 = local[l + 3], l4 = local[l + 4], l5 = local[l + 5];
      const l6 = local[l + 6], l7 = local[l + 7], l8 = local[l + 8], l9 = local[l + 9], l10 = local[l + 10], l11 = local[l + 11];
      for (let row = 0, j = b, o = 16 * i; row < 3; ++row, j += 3, ++o) {
        const x = r[j], y = r[j + 1], z = r[j + 2];
        m[o] = x * l0 + y * l3 + z * l6;
        m[o + 4] = x * l1 + y * l4 + z * l7;
        m[o + 8] = x * l2 + y * l5 + z * l8;
        m[o + 12] = x * l9 + y * l10 + z * l11 + p[c + row];
      }
    }
    this.changed();
  }
}

const x = new Vector3(), y = new Vector3(), z = new Vector3();

/** Writes matrix i so that z goes along d from point a, with length and radius as given. */
export function along(matrices, i, a, d, length, radius) {
  z.copy(d).normalize();
  x.set(1, 0, 0);
  if (Math.abs(z.x) > 0.9) x.set(0, 1, 0);
  y.crossVectors(z, x).normalize();
  x.crossVectors(y, z);
  const m = matrices, o = 16 * i;
  m[o] = x.x * radius;
  m[o + 1] = x.y * radius;
  m[o + 2] = x.z * radius;
  m[o + 4] = y.x * radius;
  m[o + 5] = y.y * radius;
  m[o + 6] = y.z * radius;
  m[o + 8] = z.x * length;
  m[o + 9] = z.y * length;
  m[o + 10] = z.z * length;
  m[o + 12] = a.x;
  m[o + 13] = a.y;
  m[o + 14] = a.z;
}
