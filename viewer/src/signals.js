// Columns of the result.

export class Signals {
  /**
   * @param {{name: string, unit: string, doc: string}[]} list
   * @param {Float64Array} time of the rows [s]
   * @param {Float64Array} values signal after signal
   */
  constructor(list, time, values) {
    this.list = list;
    this.time = time;
    this.rows = time.length;
    this.values = values;
    /** numbers by name */
    this.number = new Map(list.map((s, i) => [s.name, i]));
  }

  at(signal, row) {
    return this.values[signal * this.rows + row];
  }

  /** Value at part u of the way from a row to the next. */
  between(signal, row, u) {
    const a = this.at(signal, row);
    return row + 1 < this.rows ? a + u * (this.at(signal, row + 1) - a) : a;
  }

  /** Values of a signal, null where there is none. */
  column(signal) {
    const part = Array.from(this.values.subarray(signal * this.rows, (signal + 1) * this.rows));
    return part.every(Number.isFinite) ? part : part.map(x => Number.isFinite(x) ? x : null);
  }
}
