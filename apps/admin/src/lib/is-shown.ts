import { useEffect, useRef } from 'react';

/** Returns whether the component is still on the page, for what ends after the user has closed it. */
export function useIsShown(): () => boolean {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return () => isShown.current;
}
