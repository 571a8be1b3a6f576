import { api } from '../../lib/api.ts';
import { type SessionCalls, SessionList } from './session-list.tsx';

const key = 'GET /api/admin/user/sessions';

const calls: SessionCalls = {
  key: [key],
  list: () => api(key),
  end: (id) => api('DELETE /api/admin/user/sessions/:id', { params: { id } }),
  endOthers: () => api('DELETE /api/admin/user/sessions'),
};

/** Lists the sessions of the signed-in user. */
export function OwnSessions() {
  return <SessionList calls={calls} />;
}
