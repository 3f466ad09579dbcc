/* The results of a tile of winograd.c along an axis; spread.c judges tiles. */
enum { TILE_SIZE = 4 };
