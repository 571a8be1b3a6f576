/** Upper bounds of the buckets, in seconds. */
export const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  /** The number of answers in each bucket; the last bucket is for answers slower than every bound. */
  readonly counts: number[];
  sum: number;
  readonly isAlias: boolean;
}

/**
 * The duration of answers by method, route and status, as a histogram in Prometheus' text format. Those of aliases have
 * the label `alias`, too. Every request is counted here, at a tenth of the cost of a histogram of the metrics library.
 */
export class RequestHistogram {
  readonly #name: string;
  readonly #help: string;
  readonly #series = new Map<string, Map<string, Map<number, Series>>>();

  constructor(name: string, help: string) {
    this.#name = name;
    this.#help = help;
  }

  observe(method: string, route: string, status: number, seconds: number, isAlias: boolean): void {
    const series = this.#find(method, route, status, isAlias);
    let bucket = 0;
    for (const bound of bounds) {
      if (seconds <= bound) break;
      bucket++;
    }
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
  }

  text(): string {
    const lines = [`# HELP ${this.#name} ${this.#help}`, `# TYPE ${this.#name} histogram`];
    for (const [route, byMethod] of this.#series) {
      for (const [method, byStatus] of byMethod) {
        for (const [status, series] of byStatus) {
          const alias = series.isAlias ? ',alias="true"' : '';
          this.#write(lines, `method="${method}",route="${route}",status="${status}"${alias}`, series);
        }
      }
    }
    return `${lines.join('\n')}\n`;
  }

  #write(lines: string[], labels: string, { counts, sum }: Series): void {
    let total = 0;
    for (const [index, count] of counts.entries()) {
      total += count;
      lines.push(`${this.#name}_bucket{le="${bounds[index] ?? '+Inf'}",${labels}} ${total}`);
    }
    lines.push(`${this.#name}_sum{${labels}} ${sum}`, `${this.#name}_count{${labels}} ${total}`);
  }

  #find(method: string, route: string, status: number, isAlias: boolean): Series {
    const found = this.#series.get(route)?.get(method)?.get(status);
    if (found !== undefined) return found;
    const byMethod = this.#series.get(route) ?? new Map<string, Map<number, Series>>();
    const byStatus = byMethod.get(method) ?? new Map<number, Series>();
    const series = { counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0, isAlias };
    this.#series.set(route, byMethod.set(method, byStatus.set(status, series)));
    return series;
  }
}
