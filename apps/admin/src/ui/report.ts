import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { messageOf } from '../lib/problems.ts';

/** Tells of a failure that belongs to no field and no place of the page. */
export function useReport(): (error: unknown) => void {
  return useCallback((error) => {
    notifications.show({ color: 'red', title: 'That did not work', message: messageOf(error), autoClose: 10_000 });
  }, []);
}
