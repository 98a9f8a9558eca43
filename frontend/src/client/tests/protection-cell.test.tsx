import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { ProtectionCell } from '../files/ProtectionCell'

function tiles() {
  return [...document.querySelectorAll('[data-full]')].map((tile) => tile.getAttribute('data-full'))
}

describe('ProtectionCell', () => {
  it('says how many pieces are spare while all pieces are stored', () => {
    render(<ProtectionCell isEmpty={false} protection={{ stored: 3, total: 3, spare: 1 }} />)
    expect(screen.getByText('1 spare piece')).toBeVisible()
    expect(screen.getByText('3 of 3 pieces stored')).toBeInTheDocument()
    expect(tiles()).toEqual(['true', 'true', 'true'])
  })

  it.each([
    { protection: { stored: 11, total: 12, spare: 1 }, text: 'Repairing' },
    { protection: { stored: 2, total: 3, spare: 0 }, text: 'Not yet safe' },
    { protection: { stored: 1, total: 3, spare: -1 }, text: 'Cannot be read' },
  ])('says “$text” and leaves a tile open when pieces are missing', ({ protection, text }) => {
    render(<ProtectionCell isEmpty={false} protection={protection} />)
    expect(screen.getByText(text)).toBeVisible()
    expect(tiles()).toContain('false')
  })

  it('shows nothing while it is not known', () => {
    const { container } = render(<ProtectionCell isEmpty={false} protection={undefined} />)
    expect(container).toBeEmptyDOMElement()
  })
})
