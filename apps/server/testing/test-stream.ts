/** A server-sent event. */
export interface StreamMessage {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects; a wrong expectation fails it
  readonly data: any;
}

/** A client of a server-sent event stream, read message by message. Comments are counted and skipped. */
export class TestStream {
  readonly status: number;
  readonly headers: Headers;
  comments = 0;
  readonly #reader: ReadableStreamDefaultReader<string>;
  readonly #abort: AbortController;
  #received = '';
  #closed = false;

  private constructor(response: Response, abort: AbortController) {
    this.status = response.status;
    this.headers = response.headers;
    this.#abort = abort;
    const body = response.body as ReadableStream<Uint8Array<ArrayBuffer>>;
    this.#reader = body.pipeThrough(new TextDecoderStream()).getReader();
  }

  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<TestStream> {
    const abort = new AbortController();
    const response = await fetch(url, { headers, signal: abort.signal });
    return new TestStream(response, abort);
  }

  /** Returns the next message; undefined when the stream has ended. */
  async next(): Promise<StreamMessage | undefined> {
    for (;;) {
      const block = await this.block();
      if (block === undefined) return undefined;
      if (block.startsWith(':')) this.comments++;
      else return parse(block);
    }
  }

  /** Returns the next block of lines: a message or a comment. */
  async block(): Promise<string | undefined> {
    for (;;) {
      const end = this.#received.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#received.slice(0, end);
        this.#received = this.#received.slice(end + 2);
        return block;
      }
      const { done, value } = await this.#read();
      if (done) return undefined;
      this.#received += value;
    }
  }

  close(): void {
    this.#closed = true;
    // Avoids an unhandledRejection: aborting rejects `closed`.
    this.#reader.closed.catch(() => undefined);
    this.#abort.abort();
  }

  async #read(): Promise<{ readonly done: boolean; readonly value?: string | undefined }> {
    try {
      return await this.#reader.read();
    } catch (error) {
      if (this.#closed) return { done: true, value: undefined };
      throw error;
    }
  }
}

function parse(block: string): StreamMessage {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
    fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value);
  }
  const data = JSON.parse(fields.get('data') ?? 'null');
  return { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data };
}
