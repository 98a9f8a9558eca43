import { afterEach, expect, it, vi } from 'vitest'
import { replayEarlyInput, takeEarlyInput, whenAlive } from './early-input'

const note = (...inputs: object[]) => Object.assign(window, { tesseraEarly: inputs })

afterEach(() => {
  document.body.replaceChildren()
})

it('presses and chooses again, once', () => {
  document.body.innerHTML = '<button></button><select><option value="en"></option><option value="ar"></option></select>'
  const button = document.querySelector('button')!
  const select = document.querySelector('select')!
  const pressed = vi.fn()
  const chosen = vi.fn(() => select.value)
  button.addEventListener('click', pressed)
  document.body.addEventListener('change', chosen)
  note({ target: button }, { target: select, value: 'ar' })
  takeEarlyInput()
  expect(window).not.toHaveProperty('tesseraEarly')
  replayEarlyInput()
  replayEarlyInput()
  expect(pressed).toHaveBeenCalledOnce()
  expect(chosen).toHaveReturnedWith('ar')
})

it('leaves alone what is gone, and does nothing where nothing was noted', () => {
  const gone = document.createElement('button')
  const pressed = vi.fn()
  gone.addEventListener('click', pressed)
  note({ target: gone })
  takeEarlyInput()
  replayEarlyInput()
  takeEarlyInput()
  replayEarlyInput()
  expect(pressed).not.toHaveBeenCalled()
})

it('tells when the page is alive', async () => {
  let alive = false
  await whenAlive()
  takeEarlyInput()
  void whenAlive().then(() => {
    alive = true
  })
  await Promise.resolve()
  expect(alive).toBe(false)
  replayEarlyInput()
  await whenAlive()
  expect(alive).toBe(true)
})
