import { notifications } from '@mantine/notifications';
import { formatWithRelative } from '../../ui/dates.ts';

/**
 * Shows how many logins have failed since the last one, until it is closed, because an attacker may be guessing the
 * password.
 */
export function showFailedLogins(failed: number, lastLoginAt: string | null): void {
  const logins = failed === 1 ? '1 login has failed' : `${failed} logins have failed`;
  const since = lastLoginAt === null ? '' : ` since you logged in on ${formatWithRelative(lastLoginAt)}`;
  notifications.show({
    color: 'yellow',
    title: 'Failed logins',
    message: `${logins}${since}. Your profile shows where they came from. If it was not you, choose a new password.`,
    autoClose: false,
  });
}
