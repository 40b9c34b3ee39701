/** The module's raw exports for files, read and written in pieces. */
import { EngineMemory, startEngine } from './engine-memory.ts';

export class FileEngine extends EngineMemory {
  static async create(): Promise<FileEngine> {
    return new FileEngine(await startEngine());
  }

  /** Creates a trainer of `config` for a text. */
  train(config: number, text: Uint8Array): number {
    const trainer = this.lend(text, (at, n) => this.call('trainer_create', config, at, n));
    if (trainer === 0) throw new Error(this.text('config_message', [config]));
    return trainer;
  }

  /** A file of the trainer, read in pieces of `piece` bytes. */
  save(trainer: number, form: string, piece = 4096): Uint8Array {
    const saver = this.call('save_open', trainer, form, 0, 0);
    if (saver === 0) throw new Error(this.text('trainer_message', [trainer]));
    const file = new Uint8Array(this.call('save_bytes', saver));
    let done = 0;
    this.borrow(piece, (at) => {
      for (let got; (got = this.call('save_read', saver, at, piece)) > 0; done += got) {
        file.set(this.bytes(at, got), done);
      }
    });
    if (done !== file.length) throw new Error(`${done} of ${file.length} bytes were saved`);
    this.call('save_free', saver);
    return file;
  }

  /** Creates a trainer from a file, fed in pieces of `piece` bytes. */
  load(
    config: number,
    file: Uint8Array,
    purpose: string,
    text?: Uint8Array,
    piece = 65536,
  ): number {
    const loader = this.call('load_open', config, 'safetensors', file.length);
    const room = this.call('malloc', piece);
    const fail = (): never => {
      throw new Error(this.text('config_message', [config]));
    };
    if (loader === 0) fail();
    try {
      for (let done = 0; done < file.length;) {
        const part = file.subarray(done, done + piece);
        this.write(room, part);
        const taken = this.call('load_feed', loader, room, part.length);
        if (taken < 0) fail();
        done += taken;
        if (this.call('load_state', loader) === 1) {
          const begin = (at: number, n: number): number =>
            this.call('load_begin', loader, purpose, at, n);
          const status = text === undefined ? begin(0, 0) : this.lend(text, begin);
          if (status < 0) fail();
        }
      }
      const trainer = this.call('load_finish', loader);
      return trainer === 0 ? fail() : trainer;
    } finally {
      this.call('load_free', loader);
      this.call('free', room);
    }
  }
}
