export { startSession } from './start-session'
