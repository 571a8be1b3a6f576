import { notifications } from '@mantine/notifications';
import { useCallback } from 'react';
import { errorMessage } from '../lib/error-messages.ts';

/** Returns a function that shows an error as a notification, for errors that belong to no field. */
export function useReportError(): (error: unknown) => void {
  return useCallback((error) => {
    notifications.show({ color: 'red', title: 'The request failed', message: errorMessage(error), autoClose: 10_000 });
  }, []);
}
