import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../lib/api.ts';
import { useReportError } from '../ui/report-error.ts';

/** Returns a function that logs out and shows the login page. */
export function useLogout(): () => void {
  const queries = useQueryClient();
  const report = useReportError();
  const logout = useMutation({
    mutationFn: () => api('POST /logout'),
    onSuccess: () => queries.resetQueries(),
    onError: report,
  });
  return () => logout.mutate();
}
