import { expect, test } from 'vitest';
import { MemoryStorage } from './memory-storage';

test('a storage in memory is used as that of a browser: by its methods, by properties and by its keys', () => {
	const storage = new MemoryStorage();
	expect([storage.getItem('a'), storage.getItem('length'), storage.getItem('clear'), storage.length, storage.key(0)]).toEqual([null, null, null, 0, null]);
	storage.setItem('a', 'one');
	storage.b = 'two';
	storage.setItem('c', 3 as unknown as string);
	expect([storage.a, storage.getItem('b'), storage.getItem('c')]).toEqual(['one', 'two', '3']);
	expect([Object.keys(storage), storage.length, storage.key(1)]).toEqual([['a', 'b', 'c'], 3, 'b']);
	storage.removeItem('a');
	storage.removeItem('never there');
	expect(storage.getItem('a')).toBeNull();
	storage.clear();
	expect(Object.keys(storage)).toEqual([]);
});
