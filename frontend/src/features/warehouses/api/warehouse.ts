import type { components } from '@/api/types.generated'

/** What the list shows. Nothing in it is secret. */
export type Warehouse = components['schemas']['WarehouseRead']
/** With the fields of its form, some of them secret. Never kept in the query cache. */
export type WarehouseDetails = Warehouse & Partial<components['schemas']['WarehouseReveal']>
export type WarehouseSummary = components['schemas']['WarehouseSummary']
export type NewWarehouse = components['schemas']['WarehouseCreate']
export type ChangedWarehouse = components['schemas']['WarehouseUpdate']

/** What became of a save. Slow providers are asked on in the background. */
export type Saved = { warehouse: Warehouse; processing: boolean }
