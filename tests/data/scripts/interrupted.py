"""Load batches until a signal arrives, or something ends the process."""

import signal
import sys
import time

from gluon import data, nd

signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it


class Slow(data.Dataset):
    def __len__(self):
        return 1000

    def __getitem__(self, idx):
        time.sleep(0.02)
        return nd.full((3, 64, 64), idx)


if __name__ == "__main__":
    import multiprocessing

    multiprocessing.set_start_method(sys.argv[1])
    loader = data.DataLoader(Slow(), 4, num_workers=2)
    for k, _ in enumerate(loader):
        if k == 1:
            print("ready", flush=True)
        if sys.argv[2] == "sleep":
            time.sleep(0.05)
        elif k == 3 and sys.argv[2] == "break":
            break
        elif k == 3 and sys.argv[2] == "exit":
            sys.exit()
