#include "sums.h"

uint32_t page_sum(const uint32_t words[PAGE_SUMMED], uint32_t number) {
  uint32_t sum = 0x811c9dc5 ^ number;
  for (int at = 0; at < PAGE_SUMMED; at++) {
    sum = (sum ^ words[at]) * 0x9e3779b1;
    sum ^= sum >> 15;
  }
  return sum;
}
