export { ConnectCard } from './connect-card.tsx';
