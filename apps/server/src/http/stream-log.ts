import { type FastifyRequest, LogController } from 'fastify';

/** Logs nothing of requests but an answer that broke off after it had begun: no status tells of that one. */
export class StreamLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true });
  }

  override streamError(error: Error & { code?: string }, request: FastifyRequest): void {
    // The reader went away, which is its own affair.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    request.log.error({ err: error, requestId: request.id }, 'an answer broke off');
  }
}
