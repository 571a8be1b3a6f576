import { api } from '../../lib/api.ts';
import { SidePanel } from '../../ui/over-page.tsx';
import { type SessionCalls, SessionList } from './session-list.tsx';

const key = 'GET /api/admin/user-admin/:id/sessions';

interface Props {
  readonly userId: number;
  /** What the user is called. */
  readonly name: string;
  readonly onClose: () => void;
}

/** Where somebody is signed in, for an administrator. */
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
