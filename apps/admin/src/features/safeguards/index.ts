export { AddSafeguard } from './add-safeguard.tsx';
export { Safeguards } from './safeguards.tsx';
