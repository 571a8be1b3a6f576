export { type AddressPolicy, type Resolve, resolveAddress, resolveByDns } from './addresses.ts';
export { loggableText } from './answer.ts';
export { fetchText } from './fetch-text.ts';
export { createFetchWhole, type Fetched, type FetchWhole, fetchFailures } from './fetch-whole.ts';
export {
  checkHeaderValue,
  escapeJson,
  findUrlProblem,
  isJsonType,
  maskedSecret,
  overrideHeaders,
  parseHeaders,
} from './message.ts';
export {
  type Connection,
  createSender,
  describeResult,
  describeTarget,
  type HttpResult,
  isDelivered,
  type Outbound,
  type OutboundRequest,
  type Send,
  type SendResult,
} from './send.ts';
export { type Verdict, verdictOf } from './verdict.ts';
