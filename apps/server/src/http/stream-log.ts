import { type FastifyRequest, LogController } from 'fastify';

/** Logs only answers that failed after they had begun, because their status cannot show the failure. */
export class StreamLog extends LogController {
  constructor() {
    super({ disableRequestLogging: true });
  }

  override streamError(error: Error & { code?: string }, request: FastifyRequest): void {
    // The client closed the connection, which is not an error of the server.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    request.log.error({ err: error, requestId: request.id }, 'sending an answer failed after it had begun');
  }
}
