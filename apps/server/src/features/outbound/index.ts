export { addressOf, type Reach, type Resolve, resolveByDns } from './addresses.ts';
export { checkHeaderValue, headersIn, hidden, inJson, isJsonType, urlProblem } from './message.ts';
export { isTaken, type Message, mayBeTaken, reasonOf, type Send, type Sent, sender } from './send.ts';
