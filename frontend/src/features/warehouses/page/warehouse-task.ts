import type { Warehouse, WarehouseDetails } from '../api/warehouse'

/** What has been asked for and opens over the list. */
export type WarehouseTask =
  | { kind: 'add' }
  | { kind: 'edit'; details: WarehouseDetails }
  | { kind: 'remove'; warehouse: Warehouse }
  | { kind: 'newKey' }
