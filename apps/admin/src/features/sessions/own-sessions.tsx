import { api } from '../../lib/api.ts';
import { type SessionCalls, SessionList } from './session-list.tsx';

const key = 'GET /api/admin/user/sessions';

const calls: SessionCalls = {
  key: [key],
  list: () => api(key),
  end: (id) => api('DELETE /api/admin/user/sessions/:id', { params: { id } }),
  endOthers: () => api('DELETE /api/admin/user/sessions'),
};

/** Where the person who is signed in is signed in. */
export function OwnSessions() {
  return <SessionList calls={calls} />;
}
