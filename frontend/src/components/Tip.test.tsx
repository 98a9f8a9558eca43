import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Tip } from './Tip'

const tip = () => screen.queryByRole('tooltip', { hidden: true })
const button = () => screen.getByRole('button')

// The test environment's pointer events do not say what points.
const point = (type: 'pointerover' | 'pointerout', to: Element, pointerType = 'mouse') => {
  const event = new MouseEvent(type, { bubbles: true, relatedTarget: document.body })
  fireEvent(to, Object.assign(event, { pointerType }))
}
const rest = () => {
  act(() => {
    vi.advanceTimersByTime(300)
  })
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('Tip', () => {
  it('opens under the resting mouse, and goes with it, with a press and with Escape', () => {
    render(
      <Tip text="Shortcuts">
        <button aria-label="Shortcuts" />
      </Tip>,
    )
    point('pointerover', button())
    expect(tip()).toBeNull()
    rest()
    expect(tip()).toHaveTextContent('Shortcuts')
    fireEvent.keyDown(button(), { key: 'Escape' })
    expect(tip()).toBeNull()

    point('pointerout', button())
    point('pointerover', button())
    rest()
    fireEvent.pointerDown(button())
    expect(tip()).toBeNull()
  })

  it('opens with a tap where a tap does nothing else, and goes with a tap elsewhere', () => {
    render(
      <Tip text="Enter a name first." onTap>
        <span data-testid="control" />
      </Tip>,
    )
    fireEvent.pointerDown(screen.getByTestId('control'))
    fireEvent.click(screen.getByTestId('control'))
    expect(tip()).toHaveTextContent('Enter a name first.')
    point('pointerout', screen.getByTestId('control'), 'touch')
    expect(tip()).not.toBeNull()
    fireEvent.pointerDown(document.body)
    expect(tip()).toBeNull()
  })

  it('stays closed under a finger, and while there is nothing to say', () => {
    const { rerender } = render(
      <Tip text="Shortcuts">
        <button />
      </Tip>,
    )
    point('pointerover', button(), 'touch')
    rest()
    expect(tip()).toBeNull()
    rerender(
      <Tip text="">
        <button />
      </Tip>,
    )
    point('pointerover', button())
    rest()
    expect(tip()).toBeNull()
  })

  it('opens for the keyboard at once, even where the mouse opens something else', () => {
    render(
      <Tip text="Warehouses" keyboardOnly beside>
        <button />
      </Tip>,
    )
    point('pointerover', button())
    rest()
    expect(tip()).toBeNull()
    act(() => button().focus())
    expect(tip()).toHaveTextContent('Warehouses')
    act(() => button().blur())
    expect(tip()).toBeNull()
  })
})
