import { api } from '../../lib/api.ts';
import { SidePanel } from '../../ui/dialog.tsx';
import { type SessionCalls, SessionList } from './session-list.tsx';

const key = 'GET /api/admin/user-admin/:id/sessions';

interface Props {
  readonly userId: number;
  /** The name of the user. */
  readonly name: string;
  readonly onClose: () => void;
}

/** Lists the sessions of another user, for administrators. */
export function UserSessions({ userId, name, onClose }: Props) {
  const params = { id: userId };
  const calls: SessionCalls = {
    key: [key, userId],
    list: () => api(key, { params }),
    end: (sessionId) =>
      api('DELETE /api/admin/user-admin/:id/sessions/:sessionId', { params: { ...params, sessionId } }),
    endOthers: () => api('DELETE /api/admin/user-admin/:id/sessions', { params }),
  };
  return (
    <SidePanel onClose={onClose} size={760} title={`Sessions of ${name}`}>
      <SessionList calls={calls} />
    </SidePanel>
  );
}
