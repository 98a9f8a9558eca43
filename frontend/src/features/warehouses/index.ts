export { StatusChip } from './StatusChip'
export { warehouseName } from './warehouse-type'
