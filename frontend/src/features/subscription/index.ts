export { CardFrame } from './CardFrame'
