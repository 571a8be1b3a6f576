import { sealedColumns } from '../../../storage/sealed-columns.ts';
import { failCall } from './store.ts';

/** Requests that runs have asked for and that are still to be made. */
export const sealedCalls = sealedColumns({
  what: 'queued call',
  table: 'action_calls',
  columns: ['url', 'headers', 'body'],
  forget: (tx, { id }) => failCall(tx, id, 'It was encrypted under another UNLEASH_SECRET and was not sent.'),
});
