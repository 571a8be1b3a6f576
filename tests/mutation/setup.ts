import { keepNoStatements } from '../../apps/server/src/storage/prepared-query.ts';

keepNoStatements();
