import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '@/i18n/i18n'
import { clouds, isHeld, noiseOf, tiles } from '../landing/mosaic'
import { Mosaic } from '../landing/Mosaic'
import { renderIn } from './in-language'

async function press(name: string): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name }))
}

describe('the model', () => {
  it.each(clouds)('loses no tile with %s alone', (cloud) => {
    expect(tiles.every((tile) => isHeld(tile, new Set([cloud])))).toBe(true)
  })

  it('loses tiles with any two clouds, and shows it', () => {
    for (const one of clouds) {
      for (const other of clouds.filter((cloud) => cloud !== one)) {
        expect(tiles.some((tile) => !isHeld(tile, new Set([one, other])))).toBe(true)
      }
    }
  })

  it('makes the same noise every time, and another for each cloud', () => {
    expect(noiseOf('Azure', 40)).toBe(noiseOf('Azure', 40))
    expect(new Set(clouds.map((cloud) => noiseOf(cloud, 40))).size).toBe(clouds.length)
  })
})

describe('the mosaic', () => {
  it('stays whole when one cloud is taken away', async () => {
    await renderIn('en', <Mosaic />)
    expect(screen.getByRole('status')).toHaveTextContent('All four clouds are there.')
    await press('Take away Azure')
    expect(screen.getByRole('button', { name: 'Take away Azure' })).toHaveAttribute('aria-pressed', 'true')
    expect(screen.getByRole('status')).toHaveTextContent('Azure is gone. Three clouds remain')
    expect(screen.getByRole('img')).toHaveAccessibleName(/whole/)
  })

  it('says that the picture is lost when too few clouds are left', async () => {
    await renderIn('en', <Mosaic />)
    await press('Take away Azure')
    await press('Take away Dropbox')
    expect(screen.getByRole('status')).toHaveTextContent('Only two clouds remain')
    expect(screen.getByRole('img')).toHaveAccessibleName(/missing/)
    await press('Take away Azure')
    expect(screen.getByRole('img')).toHaveAccessibleName(/whole/)
  })

  it('shows nothing readable to whoever breaks in', async () => {
    await renderIn('en', <Mosaic />)
    await press('Break into AWS S3')
    expect(screen.getByRole('status')).toHaveTextContent('Whoever broke into AWS S3 finds only encrypted pieces')
    await press('Break into Dropbox')
    expect(screen.getByRole('status')).toHaveTextContent('Dropbox and AWS S3')
  })

  it('restores all clouds when reset is pressed', async () => {
    await renderIn('en', <Mosaic />)
    await press('Break into AWS S3')
    await press('Take away Azure')
    await press('Start over')
    expect(screen.getByRole('status')).toHaveTextContent('All four clouds are there.')
    expect(screen.queryByRole('button', { pressed: true })).not.toBeInTheDocument()
  })

  it.each(LANGUAGES)('says something new after every step in %s', async (language) => {
    await renderIn(language, <Mosaic />)
    const heard = new Set([screen.getByRole('status').textContent])
    const toggles = screen.getAllByRole('button', { pressed: false })
    for (const toggle of toggles) {
      await userEvent.click(toggle)
      heard.add(screen.getByRole('status').textContent)
    }
    expect(toggles).toHaveLength(clouds.length * 2)
    expect(heard.size).toBe(toggles.length + 1)
  })
})
