const name = 'tessera.activity'

/** Tells the other tabs when somebody was last active. Older browsers do it by way of the storage. */
export type TabChannel = { tell: (moment: number) => void; close: () => void }

export function openTabChannel(onTold: (moment: number) => void): TabChannel {
  return 'BroadcastChannel' in window ? byBroadcast(onTold) : byStorage(onTold)
}

function byBroadcast(onTold: (moment: number) => void): TabChannel {
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (typeof data === 'number') onTold(data)
  }
  return { tell: (moment) => channel.postMessage(moment), close: () => channel.close() }
}

function byStorage(onTold: (moment: number) => void): TabChannel {
  const listen = ({ key, newValue }: StorageEvent) => {
    if (key === name && newValue) onTold(Number(newValue))
  }
  window.addEventListener('storage', listen)
  return {
    tell(moment) {
      try {
        // Taken back at once: the event has told it, and nothing stays behind.
        localStorage.setItem(name, String(moment))
        localStorage.removeItem(name)
      } catch {
        // Each tab for itself, then.
      }
    },
    close: () => window.removeEventListener('storage', listen),
  }
}
