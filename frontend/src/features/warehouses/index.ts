export { ProviderMark } from './ProviderMark'
export { StatusChip } from './StatusChip'
export { typeName, warehouseName } from './warehouse-type'
