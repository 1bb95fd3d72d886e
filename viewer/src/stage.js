// The window into the scene: renderer, camera, light, grid. Draws when something has changed.
import {
  Color, DirectionalLight, HemisphereLight, Mesh, MOUSE, OrthographicCamera, PCFShadowMap, PerspectiveCamera, PlaneGeometry,
  Scene, ShaderMaterial, ShadowMaterial, TOUCH, Vector3, WebGLRenderer,
} from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';
import {roundDown} from './clock.js';
import {MARKS} from './colours.js';

const FOV = 30; // [deg]
const MARGIN = 1.18; // for symbols, which are not counted

const GRID_VERTEX = `
  varying vec2 place;
  uniform vec2 centre;
  uniform float reach;
  void main() {
    vec4 world = modelMatrix * vec4(position, 1.0);
    place = position.xy * reach + centre;
    gl_Position = projectionMatrix * viewMatrix * world;
  }`;
const GRID_FRAGMENT = `
  varying vec2 place;
  uniform vec2 centre;
  uniform vec3 colour;
  uniform float spacing, reach, strength;
  float lines(float step) {
    vec2 x = place / step, width = fwidth(x);
    vec2 near = abs(fract(x - 0.5) - 0.5) / max(width, vec2(1e-9));
    return (1.0 - min(min(near.x, near.y), 1.0)) * clamp(1.2 - 3.0 * max(width.x, width.y), 0.0, 1.0);
  }
  void main() {
    float fade = 1.0 - smoothstep(0.35, 1.0, length(place - centre) / reach);
    float a = max(0.45 * lines(spacing), lines(5.0 * spacing)) * fade * strength;
    if (a < 0.004) discard;
    gl_FragColor = vec4(colour, a);
    #include <colorspace_fragment>
  }`;

export class Stage {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {boolean} flat a planar model
   * @param {Vector3} up
   * @param {boolean} plain without smooth edges, for browsers without graphics hardware
   */
  constructor(canvas, flat, up, plain) {
    this.canvas = canvas;
    this.flat = flat;
    this.up = up;
    this.renderer = new WebGLRenderer({canvas, antialias: !plain, powerPreference: 'high-performance'});
    this.renderer.setPixelRatio(plain ? 1 : Math.min(devicePixelRatio, 2));
    this.scene = new Scene();
    this.camera = flat ? new OrthographicCamera(-1, 1, 1, -1, 0.1, 1000) : new PerspectiveCamera(FOV, 1, 0.01, 1000);
    this.camera.up.copy(flat ? new Vector3(0, 1, 0) : up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    if (flat) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons = {LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN};
      this.controls.touches = {ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN};
    }
    /** spheres to be seen: x y z radius */
    this.spheres = new Float64Array(0);
    /** called before drawing */
    this.prepare = () => {};
    /** called when the window has another size and nobody has moved the view */
    this.refit = () => this.fit();
    this.pending = false;
    this.controls.addEventListener('change', () => this.draw());
    this.lights();
    this.grid = this.makeGrid();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
    this.drawNow = this.drawNow.bind(this);
  }

  lights() {
    this.sky = new HemisphereLight(0xffffff, 0x9a948c, 1.9);
    this.sky.position.copy(this.up);
    this.sun = new DirectionalLight(0xffffff, 2.1);
    this.scene.add(this.sky, this.sun, this.sun.target);
  }

  makeGrid() {
    const uniforms = {
      colour: {value: new Color()}, spacing: {value: 1}, reach: {value: 10}, strength: {value: 1}, centre: {value: {x: 0, y: 0}},
    };
    const material = new ShaderMaterial({
      uniforms, vertexShader: GRID_VERTEX, fragmentShader: GRID_FRAGMENT, transparent: true, depthWrite: false,
    });
    const grid = new Mesh(new PlaneGeometry(2, 2), material);
    grid.frustumCulled = false;
    grid.renderOrder = -1;
    if (!this.flat) grid.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), this.up);
    this.scene.add(grid);
    return grid;
  }

  /** Sets what is to be seen: spheres x y z radius, a typical length, and the height of the ground. */
  setExtent(spheres, length, ground) {
    this.spheres = spheres;
    this.length = length;
    this.ground = ground;
    const centre = this.centre(), size = this.size = this.radius(centre);
    this.gridOrigin = centre.clone();
    if (!this.flat) this.gridOrigin.addScaledVector(this.up, ground - centre.dot(this.up));
    this.controls.minDistance = size * 1e-3;
    this.controls.maxDistance = size * 60;
    this.placeGrid();
  }

  centre() {
    const low = new Vector3(Infinity, Infinity, Infinity), high = low.clone().negate(), s = this.spheres;
    for (let i = 0; i < s.length; i += 4) {
      low.min({x: s[i] - s[i + 3], y: s[i + 1] - s[i + 3], z: s[i + 2] - s[i + 3]});
      high.max({x: s[i] + s[i + 3], y: s[i + 1] + s[i + 3], z: s[i + 2] + s[i + 3]});
    }
    return low.add(high).multiplyScalar(0.5);
  }

  radius(centre) {
    let r = 0;
    const s = this.spheres;
    for (let i = 0; i < s.length; i += 4) {
      r = Math.max(r, Math.hypot(s[i] - centre.x, s[i + 1] - centre.y, s[i + 2] - centre.z) + s[i + 3]);
    }
    return r || 1;
  }

  /** The ground on which shadows fall; for models that are not too large. */
  castShadows() {
    const {shadow} = this.sun;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.sun.castShadow = true;
    shadow.mapSize.set(2048, 2048);
    shadow.bias = -0.0005;
    shadow.normalBias = 0.01 * this.length;
    shadow.radius = 3;
    this.floor = new Mesh(new PlaneGeometry(2, 2), new ShadowMaterial({opacity: 0.16, depthWrite: false}));
    this.floor.quaternion.copy(this.grid.quaternion);
    this.floor.receiveShadow = true;
    this.floor.frustumCulled = false;
    this.floor.renderOrder = -2;
    this.scene.add(this.floor);
  }

  showShadows(on) {
    this.sun.castShadow = on;
    this.floor.visible = on;
  }

  /** Puts sun, grid and floor around what is looked at. */
  placeGrid() {
    const {grid, size, camera, controls} = this, {uniforms} = grid.material;
    const target = controls.target;
    let reach, spacing;
    if (this.flat) {
      const height = (camera.top - camera.bottom) / camera.zoom;
      reach = 4 * height * Math.max(1, this.aspect || 1);
      spacing = roundDown(height / 12);
      grid.position.set(target.x, target.y, -4 * size);
      uniforms.centre.value.x = target.x;
      uniforms.centre.value.y = target.y;
    } else {
      const origin = this.gridOrigin, height = origin.dot(this.up);
      reach = 6 * size;
      spacing = roundDown(size / 4);
      const middle = target.clone().addScaledVector(this.up, height - target.dot(this.up));
      grid.position.copy(middle);
      const local = middle.applyQuaternion(grid.quaternion.clone().invert());
      uniforms.centre.value.x = local.x;
      uniforms.centre.value.y = local.y;
      if (this.floor) {
        this.floor.position.copy(grid.position).addScaledVector(this.up, -1e-3 * size);
        this.floor.scale.setScalar(reach);
      }
    }
    grid.scale.setScalar(reach);
    uniforms.reach.value = reach;
    uniforms.spacing.value = spacing;
    const side = this.flat ? new Vector3(-0.5, 0.8, 2) : this.horizontal(-0.5, -0.9).addScaledVector(this.up, 1.7);
    this.sun.target.position.copy(target);
    this.sun.position.copy(target).addScaledVector(side.normalize(), 3 * size);
    const box = this.sun.shadow.camera;
    box.left = box.bottom = -1.4 * size;
    box.right = box.top = 1.4 * size;
    box.near = size;
    box.far = 6 * size;
    box.updateProjectionMatrix();
  }

  /** A horizontal direction: a parts to the right of the front view, b parts away from its eye. */
  horizontal(a, b) {
    const right = Math.abs(this.up.x) > 0.9 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
    const away = this.up.clone().cross(right);
    return right.multiplyScalar(a).addScaledVector(away, b);
  }

  setTheme(theme) {
    const marks = MARKS[theme];
    this.scene.background = new Color(marks.back);
    this.grid.material.uniforms.colour.value.set(marks.grid);
    this.sky.groundColor.set(theme === 'dark' ? 0x4a4f58 : 0x9a948c);
    this.sky.intensity = theme === 'dark' ? 1.5 : 1.9;
    if (this.floor) this.floor.material.opacity = theme === 'dark' ? 0.4 : 0.16;
    this.draw();
  }

  resize() {
    const {clientWidth: w, clientHeight: h} = this.canvas.parentElement;
    if (!w || !h) return;
    this.renderer.setSize(w, h, false);
    this.aspect = w / h;
    const {camera} = this;
    if (this.flat) {
      const half = this.half ?? 1;
      camera.left = -half * this.aspect;
      camera.right = half * this.aspect;
      camera.top = half;
      camera.bottom = -half;
    } else camera.aspect = this.aspect;
    camera.updateProjectionMatrix();
    if (!this.touched) this.refit();
    this.draw();
  }

  /** Direction from what is looked at to the eye. @param {'front' | 'top' | 'iso'} view */
  direction(view) {
    if (this.flat) return new Vector3(0, 0, 1);
    if (view === 'front') return this.horizontal(0, -1);
    if (view === 'top') return this.up.clone().addScaledVector(this.horizontal(0, -1), 1e-4).normalize();
    return this.horizontal(0.62, -1).addScaledVector(this.up, 0.62).normalize();
  }

  /** Looks so that all is seen. @param {Vector3} [direction] to the eye; the present one if absent */
  fit(direction) {
    const {camera, controls, spheres, flat} = this;
    if (!spheres.length) return;
    const back = direction ?? camera.position.clone().sub(controls.target).normalize();
    if (!(back.lengthSq() > 0.5)) back.copy(this.direction('iso'));
    const right = camera.up.clone().cross(back).normalize(), above = back.clone().cross(right);
    const dot = (a, i) => a.x * spheres[i] + a.y * spheres[i + 1] + a.z * spheres[i + 2];
    let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity;
    for (let i = 0; i < spheres.length; i += 4) {
      const px = dot(right, i), py = dot(above, i), r = spheres[i + 3];
      x0 = Math.min(x0, px - r);
      x1 = Math.max(x1, px + r);
      y0 = Math.min(y0, py - r);
      y1 = Math.max(y1, py + r);
    }
    const x = (x0 + x1) / 2, y = (y0 + y1) / 2, aspect = this.aspect || 1.5;
    const z = this.centre().dot(back);
    let distance = 0;
    if (flat) {
      this.half = MARGIN * Math.max((y1 - y0) / 2, (x1 - x0) / 2 / aspect, 1e-9);
      camera.zoom = 1;
      distance = 40 * this.size;
      camera.near = this.size;
      camera.far = 80 * this.size;
      camera.left = -(camera.right = this.half * aspect);
      camera.bottom = -(camera.top = this.half);
    } else {
      const tanY = Math.tan(FOV * Math.PI / 360) / MARGIN, tanX = tanY * aspect;
      for (let i = 0; i < spheres.length; i += 4) {
        const r = spheres[i + 3];
        const need = Math.max((Math.abs(dot(right, i) - x) + r) / tanX, (Math.abs(dot(above, i) - y) + r) / tanY);
        distance = Math.max(distance, need + dot(back, i) - z + 0.3 * r);
      }
      camera.near = distance / 200;
      camera.far = distance * 60;
    }
    controls.target.copy(right).multiplyScalar(x).addScaledVector(above, y).addScaledVector(back, z);
    camera.position.copy(controls.target).addScaledVector(back, distance);
    camera.updateProjectionMatrix();
    controls.update();
    this.draw();
  }

  /** Moves eye and target together. */
  shift(d) {
    this.camera.position.add(d);
    this.controls.target.add(d);
    this.camera.updateMatrixWorld();
  }

  /** Size of a pixel at a point [m]. */
  pixel(point) {
    const {camera} = this, h = this.canvas.clientHeight || 1;
    if (this.flat) return (camera.top - camera.bottom) / camera.zoom / h;
    return 2 * Math.tan(FOV * Math.PI / 360) * camera.position.distanceTo(point) / h;
  }

  /** Place of a point on the canvas in CSS pixels; z is above 1 or below -1 outside the range of depth. */
  project(point) {
    const p = point.clone().project(this.camera);
    return {x: (p.x + 1) / 2 * this.canvas.clientWidth, y: (1 - p.y) / 2 * this.canvas.clientHeight, z: p.z};
  }

  /** Draws at the next frame of the browser. */
  draw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(this.drawNow);
  }

  drawNow() {
    this.pending = false;
    this.camera.updateMatrixWorld();
    this.prepare();
    this.placeGrid();
    this.renderer.render(this.scene, this.camera);
  }
}
