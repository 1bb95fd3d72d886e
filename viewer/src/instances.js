// Many solids of one kind in one drawing call.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, DynamicDrawUsage,
  InstancedBufferAttribute, InstancedMesh, MeshDepthMaterial, MeshStandardMaterial, RGBADepthPacking, SphereGeometry,
  TorusGeometry, Vector3,
} from 'three';

/** Vertices of a solid with round ends: radius and length are attributes of the instance, so that the ends stay round. */
const CAPSULE = `
  vec3 transformed = position * size.x;
  transformed.z += end * 0.5 * size.y;`;

function withSize(material) {
  material.onBeforeCompile = shader => {
    shader.vertexShader = 'attribute vec2 size;\nattribute float end;\n' +
      shader.vertexShader.replace('#include <begin_vertex>', CAPSULE);
  };
  material.customProgramCacheKey = () => 'capsule';
  return material;
}

/** Sphere of radius 1 cut at z = 0 into two halves which move apart. */
function capsuleGeometry(around, along) {
  const position = [], end = [], index = [];
  for (let j = 0; j <= 2 * along + 1; ++j) {
    const upper = j > along, angle = (j - (upper ? along + 1 : along)) / along * Math.PI / 2;
    for (let i = 0; i <= around; ++i) {
      const turn = i / around * 2 * Math.PI;
      position.push(Math.cos(angle) * Math.cos(turn), Math.cos(angle) * Math.sin(turn), Math.sin(angle));
      end.push(upper ? 1 : -1);
      if (j && i) {
        const a = j * (around + 1) + i, b = a - around - 1;
        index.push(b - 1, b, a, b - 1, a, a - 1);
      }
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute('normal', new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute('end', new BufferAttribute(new Float32Array(end), 1));
  geometry.setIndex(index);
  return geometry;
}

/** A wire wound around z from 0 to 1, radius 1. */
function springGeometry(turns, around, thick) {
  const position = [], normal = [], index = [], steps = 16 * turns;
  for (let j = 0; j <= steps; ++j) {
    const s = j / steps, straight = Math.min(1, 8 * Math.min(s, 1 - s)); // the ends run to the middle
    const a = s * turns * 2 * Math.PI, x = straight * Math.cos(a), y = straight * Math.sin(a);
    for (let i = 0; i <= around; ++i) {
      const b = i / around * 2 * Math.PI, out = Math.cos(b), up = Math.sin(b);
      // z is stretched by the length; wire is drawn as if it were about four radii
      position.push(x + thick * out * Math.cos(a), y + thick * out * Math.sin(a), s + thick * up / 4);
      normal.push(out * Math.cos(a), out * Math.sin(a), up);
      if (j && i) {
        const k = j * (around + 1) + i, l = k - around - 1;
        index.push(l - 1, k, l, l - 1, k - 1, k);
      }
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute('normal', new BufferAttribute(new Float32Array(normal), 3));
  geometry.setIndex(index);
  return geometry;
}

/** Kinds of solids, all of size 1 along and around z; n is how many will be drawn. */
const GEOMETRY = {
  box: () => new BoxGeometry(1, 1, 1),
  cylinder: n => new CylinderGeometry(1, 1, 1, n < 1000 ? 40 : 16).rotateX(Math.PI / 2),
  sphere: n => new SphereGeometry(1, ...n < 1000 ? [28, 18] : n < 5000 ? [14, 9] : [8, 5]),
  capsule: n => capsuleGeometry(...n < 500 ? [28, 8] : n < 3000 ? [14, 4] : [8, 2]),
  ring: n => new TorusGeometry(1, 0.32, n < 500 ? 14 : 6, n < 500 ? 36 : 14),
  // from 0 to 1
  rod: n => new CylinderGeometry(1, 1, 1, n < 500 ? 16 : 8).rotateX(Math.PI / 2).translate(0, 0, 0.5),
  head: n => new ConeGeometry(1, 1, n < 500 ? 24 : 10).rotateX(Math.PI / 2).translate(0, 0, -0.5),
  spring: n => n < 300 ? springGeometry(8, 8, 0.13) : springGeometry(6, 4, 0.15),
  // a foot below the point it carries
  anchor: () => new ConeGeometry(1, 1.4, 4, 1).rotateY(Math.PI / 4).rotateX(Math.PI / 2).translate(0, 0, -0.7),
};

const colour = new Color();

/** Instances of one geometry; the matrices are written by those who draw with it. */
export class Instances {
  /**
   * @param {string | BufferGeometry} kind
   * @param {number} n
   * @param {object} [options] of the material
   */
  constructor(kind, n, options = {}) {
    const capsule = kind === 'capsule';
    const geometry = typeof kind === 'string' ? GEOMETRY[kind](n) : kind;
    const material = new MeshStandardMaterial({roughness: 0.55, metalness: 0, ...options});
    this.mesh = new InstancedMesh(geometry, capsule ? withSize(material) : material, n);
    this.mesh.frustumCulled = false;
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    if (capsule) {
      this.size = new Float32Array(2 * n);
      geometry.setAttribute('size', new InstancedBufferAttribute(this.size, 2));
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
      const b = 9 * body[i], c = 3 * body[i], l = 12 * i, o = 16 * i;
      for (let row = 0; row < 3; ++row) {
        const x = r[b + 3 * row], y = r[b + 3 * row + 1], z = r[b + 3 * row + 2];
        m[o + row] = x * local[l] + y * local[l + 3] + z * local[l + 6];
        m[o + 4 + row] = x * local[l + 1] + y * local[l + 4] + z * local[l + 7];
        m[o + 8 + row] = x * local[l + 2] + y * local[l + 5] + z * local[l + 8];
        m[o + 12 + row] = x * local[l + 9] + y * local[l + 10] + z * local[l + 11] + p[c + row];
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
