export { startSession } from './language'
