/** A step of the example run, as it is reported. */
export interface Step {
  /** The name of the step in JSON. */
  readonly step: string;
  /** When it happened, by the clock of the reporting program; now when absent. */
  readonly at?: Date;
  /** Text for people. */
  readonly text: string;
  /** Details for programs. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Prints one line for each step to standard output: text for people, or JSON with `json`. */
export class Report {
  readonly #json: boolean;

  constructor(json: boolean) {
    this.#json = json;
  }

  tell({ step, at = new Date(), text, more }: Step): void {
    this.#write(this.#json ? JSON.stringify({ at, step, text, ...more }) : `${clock(at)}  ${text}`);
  }

  /** Prints a heading, but not in JSON. */
  heading(text: string): void {
    if (!this.#json) this.#write(`\n${text}\n`);
  }

  #write(line: string): void {
    process.stdout.write(`${line}\n`);
  }
}

/** Formats a time as 17:04:05.678, by the time zone of the machine. */
export function clock(at: Date): string {
  return `${at.toLocaleTimeString('en-GB', { hour12: false })}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}
