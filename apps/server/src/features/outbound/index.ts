export { type AddressPolicy, type Resolve, resolveAddress, resolveByDns } from './addresses.ts';
export { checkHeaderValue, escapeJson, findUrlProblem, isJsonType, maskedSecret, parseHeaders } from './message.ts';
export {
  createSender,
  describeResult,
  isDelivered,
  isRetryable,
  type OutboundRequest,
  type Send,
  type SendResult,
} from './send.ts';
