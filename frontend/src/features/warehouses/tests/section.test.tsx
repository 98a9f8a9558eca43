import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderWithProviders } from '@/testing/render'
import { fail } from '@/testing/server'
import WarehousesSection from '../WarehousesSection'
import { aWarehouse, serveClouds } from './clouds'
import { four, withLeader } from './open-page'

withLeader()

describe('in the quick panel', () => {
  it('tells the state of each', async () => {
    serveClouds(four)
    renderWithProviders(<WarehousesSection onClose={vi.fn()} />)
    expect(await screen.findByText('2 Active, 3 required')).toBeVisible()
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Frankfurt archiveActive',
      'AzureActive',
      'Zürich cold storeConnected',
      'Dropbox spareNot Connected',
    ])
    expect(screen.getByRole('link', { name: 'Go to Warehouses' })).toHaveAttribute('href', '/warehouses')
  })

  it('counts the rest', async () => {
    serveClouds(Array.from({ length: 7 }, (_, index) => aWarehouse({ id: index + 1 })))
    renderWithProviders(<WarehousesSection onClose={vi.fn()} />)
    expect(await screen.findByText('and 2 more')).toBeVisible()
  })

  it('says that there are none, or why they could not be loaded', async () => {
    const server = serveClouds([])
    renderWithProviders(<WarehousesSection onClose={vi.fn()} />)
    expect(await screen.findByText('There are no Warehouses')).toBeVisible()
    server.handlers['GET /api/all'] = () => fail(500, 'internal', 'Out of order.')
    renderWithProviders(<WarehousesSection onClose={vi.fn()} />)
    expect(await screen.findByRole('alert')).toHaveTextContent('Out of order.')
  })
})
